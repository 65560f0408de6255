"""The probe: a separate program that runs under the Python that has bcc and imports nothing from pylatencymap.

It runs on Python 3.8 and later. ``python3 FOLDER_OF_THE_PROBE --help`` starts it by hand.
"""
