"""The walk: record, settle, amend, recall, rebuild; the worker, and how the parts are wired."""
