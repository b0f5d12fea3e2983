import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import QRCode from 'qrcode';
import { drawQrCode } from '../../src/features/codes/draw-qrcode.ts';
import { storeQrCodeImage } from '../../src/features/codes/image-files.ts';
import { parseQrCodeKind } from '../../src/features/codes/kinds/all-kinds.ts';
import { DEFAULT_QR_CODE_DESIGN } from '../../src/platform/qr-image/design.rules.ts';
import { createDiskFileStore } from '../../src/providers/files/disk/disk-file-store.ts';
import { generateId } from '../../src/shared/ids.ts';
import { alternateSides } from '../load/compare.ts';
import { getQuantile } from '../numbers.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import type { StandaloneRow } from './row.ts';

const IMAGE_SIZE_PIXELS = 512;

const IMAGES_PER_ROUND = 25;

/** Compare an image drawn, read back and stored as in the service with the encoder of `qrcode` alone. */
export const imageRow: StandaloneRow = {
  name: 'image',
  world: 'NONE',
  async measure(options) {
    const kind = parseQrCodeKind('URL');
    if (!kind) throw new Error('There is no such kind.');
    const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
    const files = createDiskFileStore({ folder, isPrivate: false, subfolders: ['qrcodes'] });
    await files.prepare();
    const ownerId = generateId();
    const sides = {
      async service(content: string) {
        const { png } = await drawQrCode(ownerId, content, { size: IMAGE_SIZE_PIXELS });
        await storeQrCodeImage(files, { kind, slug: 'bench', ownerId }, png);
      },
      async baseline(content: string) {
        const { errorCorrection, margin } = DEFAULT_QR_CODE_DESIGN;
        await QRCode.toBuffer(content, {
          width: IMAGE_SIZE_PIXELS,
          margin,
          errorCorrectionLevel: errorCorrection,
        });
      },
    };
    const clean = () => rm(folder, { recursive: true, force: true });
    return runWithCleanUp(clean, async () => {
      for (const draw of Object.values(sides)) await draw('http://localhost:3000/s/warm-up');
      const results = await alternateSides(options, async (side) => {
        const times: number[] = [];
        for (let time = 0; time < IMAGES_PER_ROUND; time += 1) {
          const startedAt = performance.now();
          await sides[side](`http://localhost:3000/s/${generateId()}`);
          times.push(performance.now() - startedAt);
        }
        return getQuantile(times, 0.5);
      });
      return [{ row: 'image', measure: 'median', unit: 'ms', ...results, ratioGoal: { max: 0.6 } }];
    });
  },
};
