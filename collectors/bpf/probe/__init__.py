"""The probe: a program of its own, which runs under the Python that has bcc and imports nothing of pylatencymap.

Any Python from 3.8 on will do. ``python3 FOLDER_OF_THE_PROBE --help`` starts it by hand.
"""
