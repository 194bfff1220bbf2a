"""Motion and vibration, against closed forms and published numbers."""
