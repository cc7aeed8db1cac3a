"""Pages of the documentation: a module is a page, its docstring what is on it.

- `musodds.report.site.readme`: what musodds is and does, with examples.
- `musodds.report.site.questions`: the Python functions by question.
- `musodds.report.site.commands`: the help of every command.
- `musodds.report.site.rules`: the rules, as they are read here.
- `musodds.report.site.method`: the mathematics, and what is approximated.
- `musodds.report.site.checking`: how each published number can be checked.

``python -m musodds.report.site.build FOLDER`` writes them, the notebooks and all modules as one
site (``pip install 'musodds[docs]'``).
"""
