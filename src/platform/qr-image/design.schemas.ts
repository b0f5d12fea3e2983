import { type Static, Type } from 'typebox';
import { MIN_PIXELS_PER_QR_MODULE, QR_IMAGE_SIZE_PIXELS } from './image-size.rules.ts';

export const MAX_LOGO_DATA_URL_CHARACTERS = 65_536;

const createColorSchema = (title: string, description: string) =>
  Type.String({ title, description, pattern: '^#[0-9A-Fa-f]{6}$' });

const properties = {
  foreground: createColorSchema(
    'Foreground',
    'Color of the modules, #rrggbb; the darker one. Default #000000.',
  ),
  background: createColorSchema(
    'Background',
    'Color behind them, #rrggbb; the lighter one. Default #ffffff.',
  ),
  errorCorrection: Type.Unsafe<'L' | 'M' | 'Q' | 'H'>({
    type: 'string',
    title: 'Error correction',
    description:
      'Error correction level: L 7 %, M 15 %, Q 25 %, H 30 % (ISO/IEC 18004). Default M, or L for long content.',
    enum: ['L', 'M', 'Q', 'H'],
  }),
  margin: Type.Integer({
    title: 'Margin (modules)',
    description:
      'Quiet zone on each side in modules. Minimum and default 4 (ISO/IEC 18004); with less, scanners miss codes beside text or on dark backgrounds.',
    minimum: 4,
    maximum: 16,
  }),
  size: Type.Integer({
    title: 'Size (px)',
    description: `Width and height of the image in pixels; at least ${MIN_PIXELS_PER_QR_MODULE} per module. Default ${QR_IMAGE_SIZE_PIXELS.default}, or more for long content.`,
    minimum: QR_IMAGE_SIZE_PIXELS.min,
    maximum: QR_IMAGE_SIZE_PIXELS.max,
  }),
  logo: Type.String({
    title: 'Logo',
    description:
      'Image for the center: a PNG or JPEG as base64 data URL of at most 65,536 characters. Stored without metadata.',
    maxLength: MAX_LOGO_DATA_URL_CHARACTERS,
    pattern: '^data:image/(?:png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$',
  }),
  logoSize: Type.Integer({
    title: 'Logo size (%)',
    description: 'Side of the logo in percent of the symbol. Default 20.',
    minimum: 10,
    maximum: 30,
  }),
};

export const QrCodeDesignInputSchema = Type.Partial(
  Type.Object(properties, {
    title: 'Design',
    description: 'Design of the image.',
    additionalProperties: false,
  }),
  { additionalProperties: false },
);

export const QrCodeDesignSchema = Type.Object(
  { ...properties, logo: Type.Optional(properties.logo) },
  { title: 'Design', description: 'Design that the image was drawn with.', additionalProperties: false },
);

export const QrCodeDesignAdjustmentSchema = Type.Object(
  {
    field: Type.String({ description: 'Field of the design: errorCorrection, size or logoSize.' }),
    from: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      description: 'Requested or default value.',
    }),
    to: Type.Unsafe<string | number>({ type: ['string', 'integer'], description: 'Value that was used.' }),
  },
  {
    title: 'Adjustment',
    description: 'A change to the design so that the image scans.',
    additionalProperties: false,
  },
);

export type QrCodeDesignInput = Static<typeof QrCodeDesignInputSchema>;
export type QrCodeDesign = Static<typeof QrCodeDesignSchema>;
export type QrCodeDesignAdjustment = Static<typeof QrCodeDesignAdjustmentSchema>;
