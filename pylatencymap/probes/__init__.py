"""Starts and ends probes: the programs that measure, and the only part that runs as root."""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .block_io import (
        WAITING_FOR_IO as WAITING_FOR_IO,
        add_block_options as add_block_options,
        check_disks as check_disks,
        device_number as device_number,
        idle_disks as idle_disks,
        idle_series as idle_series,
        measurement_label as measurement_label,
    )
    from .checks import (
        Check as Check,
        all_missing as all_missing,
        install_command as install_command,
        tracepoint_checks as tracepoint_checks,
    )
    from .contract import SCRIPT_FILE as SCRIPT_FILE, Probe as Probe, ProbeCommand as ProbeCommand
    from .external_programs import (
        ExternalProbe as ExternalProbe,
        external_programs_in_path as external_programs_in_path,
    )
    from .launcher import RunningProbe as RunningProbe, launch_probe as launch_probe
    from .machine import Machine as Machine
else:
    __getattr__ = lazily(
        __name__,
        {
            "block_io": (
                "WAITING_FOR_IO add_block_options check_disks device_number idle_disks idle_series measurement_label"
            ),
            "checks": "Check all_missing install_command tracepoint_checks",
            "contract": "Probe ProbeCommand SCRIPT_FILE",
            "external_programs": "ExternalProbe external_programs_in_path",
            "launcher": "RunningProbe launch_probe",
            "machine": "Machine",
        },
    )
