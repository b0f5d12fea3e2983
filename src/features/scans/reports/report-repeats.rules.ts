import { DUPLICATE_SCAN_WINDOW_SECONDS } from '../scan-class.rules.ts';

/** Fold scans that repeat an earlier one of the same visitor into it; newest first, as the input. */
export function foldRepeatedScans<Scan extends { scannedAt: Date; class: string; visitor: string }>(
  scans: readonly Scan[],
): { scan: Scan; repeats: number }[] {
  const groups: { scan: Scan; repeats: number }[] = [];
  const latest = new Map<string, { scan: Scan; repeats: number }>();
  for (const scan of scans) {
    const group = latest.get(scan.visitor);
    const isRepeated =
      group &&
      (group.scan.class === 'DUPLICATE' || group.scan.class === scan.class) &&
      group.scan.scannedAt.getTime() - scan.scannedAt.getTime() <= DUPLICATE_SCAN_WINDOW_SECONDS * 1000;
    if (isRepeated) {
      group.scan = scan;
      group.repeats += 1;
      continue;
    }
    const started = { scan, repeats: 0 };
    groups.push(started);
    latest.set(scan.visitor, started);
  }
  return groups.sort((one, other) => other.scan.scannedAt.getTime() - one.scan.scannedAt.getTime());
}
