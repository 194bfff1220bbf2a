"""The packages of extras: loaded when something is drawn, not before."""

from importlib import import_module

from flexura.errors import MissingExtra


def require(who: str, package: str, extra: str = "view") -> None:
    """Load a package of an extra.

    Raises:
        MissingExtra: if it is not installed, with how to do that.
    """
    try:
        import_module(package)
    except ImportError as error:
        if error.name != package:  # it is there, and something that it needs is not
            raise
        raise MissingExtra(who, package, extra) from error
