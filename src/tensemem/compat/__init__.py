"""The shapes of other memories over this one, so that an application changes one import."""
