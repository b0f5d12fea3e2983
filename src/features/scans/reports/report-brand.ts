import type { Brand } from '../../../shared/brand.ts';

/** What a report shows of the operator. A logo that passed to another thread is bytes, not a Buffer. */
export type ReportBrand = Pick<Brand, 'name' | 'color'> & {
  logo: { bytes: Uint8Array; contentType: string } | null;
};
