"""From the tree to statements: every primary is looked up in the notation map, and what is ambiguous is refused."""
