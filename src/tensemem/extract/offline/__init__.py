"""The offline extractor: reads messages by the examples that predicates declare, with no model."""

from .extractor import OfflineExtractor
from .language import Language

__all__ = ["Language", "OfflineExtractor"]
