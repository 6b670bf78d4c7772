"""Drop-in for `common.evaluation_metrics` of a known evaluation guide, with its names and keys.

A notebook written for it runs by changing its imports. The guide's `common.reporting` and
`common.visualizations` are answered from here as well.
"""

from docassay.compat.evaluation_metrics.batch import (
    create_field_accuracy_chart,
    evaluate_extraction_results,
    generate_executive_summary,
    load_ground_truth,
    parse_extraction_response,
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
    "create_field_accuracy_chart",
    "evaluate_extraction_results",
    "generate_executive_summary",
    "load_ground_truth",
    "parse_extraction_response",
]
