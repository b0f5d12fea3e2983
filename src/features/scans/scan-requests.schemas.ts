import { type TSchema, Type } from 'typebox';
import { Id, nullable, stringEnum } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';

/** Half the circumference of the Earth. */
const MAX_ACCURACY_METRES = 20_040_000;

export const Latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees (WGS 84).' });
export const Longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees (WGS 84).' });
export const PositionAccuracy = Type.Number({
  minimum: 0,
  maximum: MAX_ACCURACY_METRES,
  description: 'Radius in meters.',
});
const Pin = Type.String({
  pattern: '^[0-9]{4,12}$',
  description: '4 to 12 digits; ignored for codes without a PIN.',
});

const OptionalNullable = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema));

const POSITION_DEPENDENCIES = {
  dependentRequired: {
    latitude: ['longitude'],
    longitude: ['latitude'],
    accuracy: ['latitude', 'longitude'],
  },
};

export const NewScan = Type.Object(
  {
    qrCodeId: Id,
    pin: OptionalNullable(Pin),
    latitude: OptionalNullable(Latitude),
    longitude: OptionalNullable(Longitude),
    accuracy: OptionalNullable(PositionAccuracy),
  },
  POSITION_DEPENDENCIES,
);

export const NewGeocodedScan = Type.Object({
  qrCodeId: Id,
  pin: OptionalNullable(Pin),
  latitude: Latitude,
  longitude: Longitude,
  accuracy: OptionalNullable(PositionAccuracy),
});

export const GeocodedScanQuery = Type.Object({
  type: stringEnum(['guest', 'user'], { default: 'guest', description: 'user requires authentication.' }),
});

export const NewScanPosition = Type.Object({
  latitude: Latitude,
  longitude: Longitude,
  accuracy: OptionalNullable(PositionAccuracy),
});

export const UnlockScanRequest = Type.Object({ pin: Pin });

export const ScanTokenHeader = Type.Object({
  'x-scan-token': Type.Optional(
    Type.String({ description: `The \`scanToken\` of the scan; valid for ${formatLifetime('scanToken')}.` }),
  ),
});
