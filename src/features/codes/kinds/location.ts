import { Type } from 'typebox';
import {
  createNumberFieldSchema,
  createObjectFieldSchema,
  createPostalAddressFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
} from './field-types.ts';
import { defineQrCodeKind } from './kind-definition.ts';

const schema = createObjectFieldSchema('Location', 'A place on the map.', {
  latitude: createNumberFieldSchema('Latitude', 'Degrees north of the equator, WGS 84.', -90, 90),
  longitude: createNumberFieldSchema('Longitude', 'Degrees east of Greenwich, WGS 84.', -180, 180),
  name: Type.Optional(createSingleLineFieldSchema('Name', 'What is there.')),
  address: Type.Optional(createPostalAddressFieldSchema('Address', 'Postal address of the place.')),
  notes: Type.Optional(createTextFieldSchema('Notes', 'How to get there.', 1000)),
});

export const locationQrCodeKind = defineQrCodeKind({
  kind: 'LOCATION',
  label: 'Location',
  description: 'Opens a place on the map.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    latitude: 'PIN_OR_PUBLIC',
    longitude: 'PIN_OR_PUBLIC',
    address: 'PIN_OR_PUBLIC',
    notes: 'PIN_OR_PUBLIC',
  },
  example: {
    latitude: 52.516275,
    longitude: 13.377704,
    name: 'Brandenburg Gate',
    notes: 'Meet at the north side.',
  },
  /** RFC 5870, which has no exponents; seven decimals are about a centimeter. */
  toStaticContent({ latitude, longitude }) {
    if (latitude === undefined || longitude === undefined) return null;
    return `geo:${formatDecimal(latitude)},${formatDecimal(longitude)}`;
  },
});

function formatDecimal(degrees: number): string {
  const fixed = degrees.toFixed(7).replace(/\.?0+$/, '');
  return fixed === '-0' ? '0' : fixed;
}
