"""Makes ``lie_oracle`` importable, whatever the import mode of pytest."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
