"""One workload under every model of concurrency.

    lab = Scenario("page-load")
    window = lab.canvas("window", 1024, 800)
    page, tree = lab.memory("page"), lab.tree("tree")
    lab.load_url(url, page)
    lab.parse_html(page, tree)
    lab.paint_all_images(tree, window, url)
    for record in run_all(lab, [Model.cooperative(), Model.threads(), Model.pool(8)]):
        print(record.model, record.seconds)

A scenario says what is to be done, on which data, and where it is spawned; a model says how. Native code runs it.
"""

from heddle.lab.model import Model
from heddle.lab.record import Record
from heddle.lab.runner import ResultsDifferError, run, run_all
from heddle.lab.scenario import Canvas, Cells, Command, Data, File, Image, Memory, Scenario, Tree

__all__ = [
    "Canvas",
    "Cells",
    "Command",
    "Data",
    "File",
    "Image",
    "Memory",
    "Model",
    "Record",
    "ResultsDifferError",
    "Scenario",
    "Tree",
    "run",
    "run_all",
]
