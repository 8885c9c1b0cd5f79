"""Renders every icon file from icon.svg. Needs `pip install pillow resvg_py`."""

import io
import struct
from pathlib import Path

import resvg_py
from PIL import Image

HERE = Path(__file__).parent
SVG = (HERE / "icon.svg").read_text(encoding="utf-8")


def render(size):
    data = bytes(resvg_py.svg_to_bytes(svg_string=SVG, width=size, height=size))
    image = Image.open(io.BytesIO(data)).convert("RGBA")
    assert image.size == (size, size)
    return image


def with_margin(size):
    """macOS draws its icons inside a margin of about a tenth; at 32 and below it costs too much."""
    if size <= 32:
        return render(size)
    canvas = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    inner = round(size * 0.805 / 2) * 2
    canvas.alpha_composite(render(inner), ((size - inner) // 2, (size - inner) // 2))
    return canvas


def png(image):
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def ico(sizes):
    """Each size is rendered by itself: scaling the large one down would blur 16 pixels."""
    images = [(size, png(render(size))) for size in sizes]
    head = struct.pack("<HHH", 0, 1, len(images))
    offset = len(head) + 16 * len(images)
    table = b""
    for size, data in images:
        table += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), offset)
        offset += len(data)
    return head + table + b"".join(data for _, data in images)


def icns():
    types = {"icp4": 16, "icp5": 32, "ic11": 32, "ic12": 64, "ic07": 128,
             "ic13": 256, "ic08": 256, "ic14": 512, "ic09": 512, "ic10": 1024}
    body = b""
    for kind, size in types.items():
        data = png(with_margin(size))
        body += kind.encode() + struct.pack(">I", len(data) + 8) + data
    return b"icns" + struct.pack(">I", len(body) + 8) + body


for name, size in {"32x32.png": 32, "128x128.png": 128, "128x128@2x.png": 256, "icon.png": 512}.items():
    (HERE / name).write_bytes(png(render(size)))
(HERE / "icon.ico").write_bytes(ico([16, 24, 32, 48, 64, 256]))
(HERE / "icon.icns").write_bytes(icns())
