const END_MARKER = 0xd9;
const SCAN_MARKER = 0xda;

/**
 * Count the scans of a JPEG (ISO/IEC 10918-1, annex B): each is a pass over all pixels, however few bytes it
 * has.
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

/** Check for a marker without a segment: a stuffed 0xff or a restart marker. */
function isStandaloneMarker(marker: number): boolean {
  return marker <= 1 || (marker >= 0xd0 && marker <= 0xd8);
}
