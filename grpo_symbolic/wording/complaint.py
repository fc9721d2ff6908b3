"""What somebody has to mend in the texts or tables beside claims."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Complaint:
    """Something that a text says without a statement behind it, or a claim supposes without a word about it."""

    where: str
    what: str
