"""What may be said about an extraction besides its documents, its schema and its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from docassay.errors import ConfigurationError, UnknownName
from docassay.extract.answers import CONFIDENCES
from docassay.extract.endpoint import AUTHORIZATION
from docassay.extract.prompt import INPUTS, STYLES

RESPONSE_FORMATS = ("json_schema", "json_object", "none")
RESERVED = frozenset({"model", "messages", "stream", "n"})
"""Parameters of a request that have a meaning of their own here."""


class ExtractArgs(TypedDict, total=False):
    """Options of an extraction: every field of `ExtractOptions`."""

    endpoint: str | None
    model: str | None
    extractor: str | Callable[..., object] | None
    command: str | None
    replay: str | Path | None
    ocr: str | None
    ocr_only: bool
    ocr_language: str
    input: str | None
    max_side: int | None
    id: str
    limit: int | None
    style: str
    template: str | Path | None
    type: str | None
    type_from: str | Path | None
    param: Mapping[str, object] | None
    header: Sequence[str]
    key_env: str | None
    key_header: str
    timeout: float
    retries: int
    back_off: float
    concurrency: int
    price: tuple[float | None, float | None]
    confidence: str | None
    samples: int
    response_format: str | None
    resume: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """All that may be said about an extraction besides its documents, schema and file."""

    endpoint: str | None = None
    """The base URL of a chat endpoint, as OpenAI clients take it (…/v1)."""
    model: str | None = None
    extractor: str | Callable[..., object] | None = None
    """A function of the path and the schema, or where it is: `module:function`."""
    command: str | None = None
    """A command that says where the path goes: `tool {path}`."""
    replay: str | Path | None = None
    """A file of answers that were kept."""
    ocr: str | None = None
    ocr_only: bool = False
    """Whether rules over recognised text do it, without a model."""
    ocr_language: str = "eng"
    input: str | None = None
    """What a model gets: `images`, `text` or `both`; None: images, with `ocr` both."""
    max_side: int | None = None
    """Pixels of the longer side of an image; None: as it is."""
    id: str = "stem"
    limit: int | None = None
    style: str = "json"
    template: str | Path | None = None
    """A file with a prompt of one's own."""
    type: str | None = None
    """The type of all documents."""
    type_from: str | Path | None = None
    """Documents, such as gold, that say of which type each is."""
    param: Mapping[str, object] | None = None
    """Further parameters of requests; temperature is 0 unless given."""
    header: Sequence[str] = ()
    key_env: str | None = None
    key_header: str = AUTHORIZATION
    timeout: float = 120.0
    retries: int = 4
    back_off: float = 0.5
    concurrency: int = 4
    price: tuple[float | None, float | None] = (None, None)
    """What a million tokens of prompts, and of answers, cost."""
    confidence: str | None = None
    """From token probabilities: `minimum`, `mean` or `product`."""
    samples: int = 1
    """Answers a document; more than one give confidences by their agreement."""
    response_format: str | None = None
    """`json_schema`, `json_object` or `none`; None: the first, with style `lines` none."""
    resume: bool = False

    def __post_init__(self) -> None:
        """Refuse values that cannot work."""
        for name, given, known in (
            ("style of prompt", self.style, STYLES),
            ("input", self.input, INPUTS),
            ("confidence", self.confidence, CONFIDENCES),
            ("response format", self.response_format, RESPONSE_FORMATS),
        ):
            if given is not None and given not in known:
                raise UnknownName(name, given, known)
        for name, number, least in (
            ("concurrency", self.concurrency, 1),
            ("samples", self.samples, 1),
            ("retries", self.retries, 0),
            ("limit", self.limit, 1),
            ("max-side", self.max_side, 16),
        ):
            if number is not None and number < least:
                raise ConfigurationError(f"{name} {number} is less than {least}")
        if not self.timeout > 0:
            raise ConfigurationError(f"timeout {self.timeout:g} is no length of time")
        for name in RESERVED.intersection(self.param or {}):
            raise ConfigurationError(f"{name} is set by the request itself", where="--param")

    def check_way(self) -> None:
        """Refuse an extraction that no one does, or two, or one that lacks something."""
        ways = {
            "--endpoint": self.endpoint,
            "--extractor": self.extractor,
            "--command": self.command,
            "--replay": self.replay,
            "--ocr-only": self.ocr_only or None,
        }
        given = [name for name, value in ways.items() if value is not None]
        if len(given) != 1:
            what = f"{' and '.join(given)} are given" if given else "nothing says who extracts"
            raise ConfigurationError(what, hint=f"give one of {', '.join(ways)}")
        if self.endpoint is not None and not self.model:
            raise ConfigurationError("--endpoint needs the name of a model", hint="say --model M")
        if self.input in ("text", "both") and self.ocr is None and self.endpoint is not None:
            raise ConfigurationError(
                f"--input {self.input} needs the text of images", hint="say --ocr tesseract"
            )
        if self.type is not None and self.type_from is not None:
            raise ConfigurationError("--type and --type-from are given", hint="give one of them")

    @property
    def inputs(self) -> str:
        """What a model gets of documents that are images."""
        return self.input or ("images" if self.ocr is None else "both")
