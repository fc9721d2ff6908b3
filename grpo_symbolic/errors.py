"""The errors of the package: one base class and a few kinds, so that a caller can tell whose mistake it is."""


class GrpoSymbolicError(Exception):
    """Base of every error that this package raises on purpose."""


class DeclarationError(GrpoSymbolicError):
    """A symbol, interval, statement or claim was written in a way that cannot mean anything."""


class UnsupportedError(GrpoSymbolicError):
    """A translation target has no word for an expression; the method that asked is not applicable."""


class UndefinedError(GrpoSymbolicError):
    """An expression has no value at a point, such as a division by zero or the logarithm of 0."""


class CheckError(GrpoSymbolicError):
    """A check broke, or two methods contradict each other; a refutation is Evidence, never an exception."""


class LibraryError(GrpoSymbolicError):
    """A folder of derivations cannot be loaded: duplicate id, unknown reference, cycle, broken module."""


class ReportError(GrpoSymbolicError):
    """The report cannot be rendered, for example because a template printed a raw string."""
