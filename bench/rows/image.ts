import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import QRCode from 'qrcode';
import { drawQrCode } from '../../src/features/qrcodes/draw-qrcode.ts';
import { DEFAULT_QR_CODE_DESIGN } from '../../src/features/qrcodes/image/design.rules.ts';
import { storeImage } from '../../src/features/qrcodes/image-files.ts';
import { parseKind } from '../../src/features/qrcodes/kinds/all-kinds.ts';
import { createDiskFileStore } from '../../src/providers/files/disk/disk-file-store.ts';
import { generateId } from '../../src/shared/ids.ts';
import { cleaned } from '../broken-off.ts';
import { inTurns } from '../load/compare.ts';
import { quantile } from '../numbers.ts';
import type { LoneRow } from './row.ts';

const SIZE = 512;

/** Images of a round. */
const TIMES = 25;

/** An image drawn, read back and stored (on the disk) as the service does it, against the encoder of `qrcode` alone. */
export const imageRow: LoneRow = {
  name: 'image',
  world: 'NONE',
  async measure(turns) {
    const kind = parseKind('URL');
    if (!kind) throw new Error('There is no such kind.');
    const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
    const files = createDiskFileStore({ folder, isPrivate: false, subfolders: ['qrcodes'] });
    await files.prepare();
    const ownerId = generateId();
    const sides = {
      async service(content: string) {
        const { png } = await drawQrCode(content, { size: SIZE });
        await storeImage(files, { kind, slug: 'bench', ownerId }, png);
      },
      async baseline(content: string) {
        const { errorCorrection, margin } = DEFAULT_QR_CODE_DESIGN;
        await QRCode.toBuffer(content, { width: SIZE, margin, errorCorrectionLevel: errorCorrection });
      },
    };
    const clean = () => rm(folder, { recursive: true, force: true });
    return cleaned(clean, async () => {
      for (const draw of Object.values(sides)) await draw('http://localhost:3000/s/warm-up');
      const seen = await inTurns(turns, async (side) => {
        const times: number[] = [];
        for (let time = 0; time < TIMES; time += 1) {
          const begun = performance.now();
          await sides[side](`http://localhost:3000/s/${generateId()}`);
          times.push(performance.now() - begun);
        }
        return quantile(times, 0.5);
      });
      return [{ row: 'image', measure: 'median', unit: 'ms', ...seen, goal: { most: 0.6 } }];
    });
  },
};
