.venv/bin/python story.py
.venv/bin/python example.py
