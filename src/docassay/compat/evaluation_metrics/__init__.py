"""Drop-in for `common.evaluation_metrics` of a known evaluation guide, with its names and keys.

A notebook written for it runs by changing its imports. The guide's `common.config`,
`common.field_definitions_loader`, `common.standalone_evaluator`, `common.reporting` and
`common.visualizations` are answered from here as well.
"""

from docassay.compat.evaluation_metrics.batch import (
    create_field_accuracy_chart,
    evaluate_extraction_results,
    generate_executive_summary,
    load_ground_truth,
    parse_extraction_response,
)
from docassay.compat.evaluation_metrics.comparison import (
    compare_models,
    create_model_comparison_chart,
    generate_comparison_summary,
)
from docassay.compat.evaluation_metrics.config import (
    DEPLOYMENT_READY_THRESHOLD,
    EXCELLENT_FIELD_THRESHOLD,
    GOOD_FIELD_THRESHOLD,
    NEEDS_OPTIMIZATION_THRESHOLD,
    PILOT_READY_THRESHOLD,
    POOR_FIELD_THRESHOLD,
    SimpleFieldLoader,
    StandaloneEvaluator,
    filter_evaluation_fields,
    get_document_type_fields,
)
from docassay.compat.evaluation_metrics.models import (
    ModelProcessor,
    load_extraction_results,
    save_evaluation_outputs,
)
from docassay.compat.evaluation_metrics.scores import (
    _compare_dates_fuzzy,
    _fuzzy_text_match,
    _parse_boolean_value,
    _transaction_item_matches,
    calculate_correlation_aware_f1,
    calculate_field_accuracy,
    calculate_field_accuracy_f1,
    calculate_field_accuracy_f1_position_agnostic,
    calculate_field_accuracy_kieval,
    calculate_field_accuracy_with_method,
)

__all__ = [
    "DEPLOYMENT_READY_THRESHOLD",
    "EXCELLENT_FIELD_THRESHOLD",
    "GOOD_FIELD_THRESHOLD",
    "NEEDS_OPTIMIZATION_THRESHOLD",
    "PILOT_READY_THRESHOLD",
    "POOR_FIELD_THRESHOLD",
    "ModelProcessor",
    "SimpleFieldLoader",
    "StandaloneEvaluator",
    "_compare_dates_fuzzy",
    "_fuzzy_text_match",
    "_parse_boolean_value",
    "_transaction_item_matches",
    "calculate_correlation_aware_f1",
    "calculate_field_accuracy",
    "calculate_field_accuracy_f1",
    "calculate_field_accuracy_f1_position_agnostic",
    "calculate_field_accuracy_kieval",
    "calculate_field_accuracy_with_method",
    "compare_models",
    "create_field_accuracy_chart",
    "create_model_comparison_chart",
    "evaluate_extraction_results",
    "filter_evaluation_fields",
    "generate_comparison_summary",
    "generate_executive_summary",
    "get_document_type_fields",
    "load_extraction_results",
    "load_ground_truth",
    "parse_extraction_response",
    "save_evaluation_outputs",
]
