const END_MARKER = 0xd9;
const SCAN_MARKER = 0xda;

/**
 * How many scans a JPEG is made of (ISO/IEC 10918-1, annex B): each is one more walk through all of its pixels, however few
 * bytes it has.
 */
export function countJpegScans(jpeg: Buffer): number {
  let scans = 0;
  for (let at = 2; at + 4 <= jpeg.length; ) {
    const marker = jpeg[at + 1] ?? END_MARKER;
    if (jpeg[at] !== 0xff || marker === 0xff) at += 1;
    else if (marker === END_MARKER) break;
    else if (isStandaloneMarker(marker)) at += 2;
    else {
      if (marker === SCAN_MARKER) scans += 1;
      at += 2 + jpeg.readUInt16BE(at + 2);
    }
  }
  return scans;
}

/** Whether no segment follows: a 0xff of a scan itself, and what separates its parts. */
function isStandaloneMarker(marker: number): boolean {
  return marker <= 1 || (marker >= 0xd0 && marker <= 0xd8);
}
