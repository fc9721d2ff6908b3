"""The mathematics: one package per paper, one module per result."""

#: The papers in the order of the report.
contents = ("vojnovic_yun_2025", "mroueh_2025")
