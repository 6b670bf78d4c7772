"""Pydantic models to JSON Schema, the one form that models and schema files share.

`Field(json_schema_extra={"docassay": {"type": "money"}})` says what a Python type cannot. Pydantic
is imported only when a model is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

from docassay.errors import SchemaError

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core.core_schema import DecimalSchema


def is_model(source: object) -> TypeGuard[type[BaseModel]]:
    """Whether something is a Pydantic model class; Pydantic itself need not be there to ask."""
    return isinstance(source, type) and callable(getattr(source, "model_json_schema", None))


def model_schema(model: type[BaseModel]) -> Mapping[str, object]:
    """Return the JSON Schema of a model class."""
    from pydantic.errors import PydanticUserError
    from pydantic.json_schema import GenerateJsonSchema

    class PlainDecimals(GenerateJsonSchema):
        """Pydantic calls a Decimal "a number or a text", which would make it a text to us."""

        def decimal_schema(self, schema: DecimalSchema) -> JsonSchemaValue:
            return {"type": "number"}

    try:
        return model.model_json_schema(schema_generator=PlainDecimals)
    except PydanticUserError as error:
        raise SchemaError(
            f"the model {model.__name__} has no JSON Schema: {error.message}",
            hint="leave out fields that hold no data",
        ) from error
