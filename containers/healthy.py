"""Whether the server here answers: exit code 0 if it does. The port is in TENSEMEM_HEALTH_PORT, or 7340."""

import os
import sys
from urllib.error import URLError
from urllib.request import urlopen

PORT = os.environ.get("TENSEMEM_HEALTH_PORT", "7340")

try:
    with urlopen(f"http://127.0.0.1:{PORT}/healthz", timeout=4) as answer:
        sys.exit(0 if answer.status == 200 else 1)
except (URLError, TimeoutError, ConnectionError) as error:
    sys.exit(f"nobody answers: {error}")
