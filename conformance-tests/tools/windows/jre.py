"""Makes a Windows JRE run on Wine 8: python3 jre.py JRE. Run it once; what a JRE does not have is left alone.

1. net.dll asks iphlpapi for GetAnycastIpAddressTable, which Wine 8 does not export, and the JVM dies in SecureRandom and
   NetworkInterface. GetUnicastIpAddressTable has a name of the same length and the same parameters.
2. jvm.dll prints "Attempt to get process group affinity failed" on standard output, among the data of commands. The call
   that prints it becomes no-operations.
3. nio.dll copies between files by TransmitFile first and expects WSAENOTSOCK; Wine 8 fails differently at times. Now
   any error means: copy through a buffer.
"""

import struct
import sys
from pathlib import Path


def change(library, old, new):
    data = library.read_bytes()
    if old in data:
        library.write_bytes(data.replace(old, new))
        print(f"{library.name}: changed")


def silence(library, message):
    """Removes the call that prints a message: lea rcx, message; call warning."""
    data = bytearray(library.read_bytes())
    at = data.find(message)
    if at < 0:
        return
    header = struct.unpack_from("<I", data, 0x3C)[0]
    count, optional = struct.unpack_from("<H", data, header + 6)[0], struct.unpack_from("<H", data, header + 20)[0]
    sections = [struct.unpack_from("<IIII", data, header + 24 + optional + 40 * i + 8) for i in range(count)]

    def address(offset):
        return next(va + offset - raw for _, va, size, raw in sections if raw <= offset < raw + size)

    target = address(at)
    _, _, size, raw = sections[0]
    for k in range(raw, raw + size - 12):
        if data[k : k + 3] == b"\x48\x8d\x0d" and data[k + 7] == 0xE8:
            if address(k) + 7 + struct.unpack_from("<i", data, k + 3)[0] == target:
                data[k + 7 : k + 12] = b"\x90" * 5
                print(f"{library.name}: silenced")
    library.write_bytes(data)


def main():
    folder = Path(sys.argv[1]) / "bin"
    change(folder / "net.dll", b"GetAnycastIpAddressTable", b"GetUnicastIpAddressTable")
    silence(folder / "server" / "jvm.dll", b"Attempt to get process group affinity failed")
    change(folder / "nio.dll", b"\x3d\x36\x27\x00\x00\x75\xf0", b"\x3d\x36\x27\x00\x00\x90\x90")


main()
