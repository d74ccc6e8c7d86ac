"""The sound arrays that make_rows.py makes: what libraries get wrong, dispute, or never write themselves."""

import row_forms
import row_layouts
import row_values

PARTS = (
    row_values.nans,
    row_values.fills,
    row_layouts.transposes,
    row_layouts.outers,
    row_layouts.nested,
    row_values.streams,
    row_values.odd_bloscs,
    row_forms.metadata,
    row_forms.shapes,
    row_layouts.indexes,
    row_layouts.rectilinear,
)


def cases():
    for part in PARTS:
        yield from part()
