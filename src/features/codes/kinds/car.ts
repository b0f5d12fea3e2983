import { Type } from 'typebox';
import {
  createContactFieldSchema,
  createEmergencyContactsFieldSchema,
  createEnumFieldSchema,
  createInsuranceFieldSchema,
  createObjectFieldSchema,
  createSingleLineFieldSchema,
  createTextFieldSchema,
} from './field-types.ts';
import { defineProfileQrCodeKind } from './profile-kind.ts';

const schema = createObjectFieldSchema('Car', 'A vehicle whose driver should be reachable.', {
  name: createSingleLineFieldSchema('Name', 'What the car is called, such as “Blue Golf”.', 80),
  message: Type.Optional(
    createTextFieldSchema('Message', 'Message to the finder, such as “Am I in the way? Write to me.”', 500),
  ),
  licensePlate: Type.Optional(createSingleLineFieldSchema('License plate', 'As on the plate.', 20)),
  make: Type.Optional(createSingleLineFieldSchema('Make', 'Manufacturer.', 60)),
  model: Type.Optional(createSingleLineFieldSchema('Model', 'Model.', 60)),
  year: Type.Optional(
    Type.Integer({ title: 'Year', description: 'Year of manufacture.', minimum: 1885, maximum: 2100 }),
  ),
  color: Type.Optional(createSingleLineFieldSchema('Color', 'Color.', 40)),
  propulsion: Type.Optional(
    createEnumFieldSchema('Fuel type', 'What drives it; rescuers cut an electric car differently.', [
      'PETROL',
      'DIESEL',
      'ELECTRIC',
      'HYBRID',
      'LPG',
      'CNG',
      'HYDROGEN',
      'OTHER',
    ]),
  ),
  rescueNotes: Type.Optional(
    createTextFieldSchema(
      'Notes for rescuers',
      'Where to cut, where the battery is, who is usually inside.',
      1000,
    ),
  ),
  vin: Type.Optional(
    Type.String({
      title: 'VIN',
      description: 'Vehicle identification number, 17 letters and digits without I, O and Q (ISO 3779).',
      pattern: '^[A-HJ-NPR-Z0-9]{17}$',
    }),
  ),
  parkingPermit: Type.Optional(
    createSingleLineFieldSchema('Parking permit', 'Number or zone of a permit.', 60),
  ),
  owner: Type.Optional(createContactFieldSchema('Owner', 'Who drives it.')),
  emergencyContacts: Type.Optional(createEmergencyContactsFieldSchema()),
  roadsideAssistance: Type.Optional(
    createContactFieldSchema('Roadside assistance', 'Who comes when it breaks down.'),
  ),
  insurance: Type.Optional(createInsuranceFieldSchema('Insurance')),
  notes: Type.Optional(createTextFieldSchema('Notes', 'For the owner, or for a garage.')),
});

export const carQrCodeKind = defineProfileQrCodeKind({
  kind: 'CAR',
  label: 'Car',
  description:
    'For a windshield: reach the driver, help rescuers, without showing a phone number to the street.',
  sensitive: 'NEVER',
  schema,
  defaultVisibility: {
    name: 'PUBLIC',
    message: 'PUBLIC',
    propulsion: 'PUBLIC',
    rescueNotes: 'PUBLIC',
    owner: 'PIN_OR_PRIVATE',
    emergencyContacts: 'PIN_OR_PRIVATE',
    roadsideAssistance: 'PIN_OR_PRIVATE',
    licensePlate: 'PUBLIC',
    make: 'PUBLIC',
    model: 'PUBLIC',
    year: 'PUBLIC',
    color: 'PUBLIC',
    parkingPermit: 'PUBLIC',
    insurance: 'PIN_OR_PRIVATE',
    vin: 'PRIVATE',
    notes: 'PRIVATE',
    pictures: 'PUBLIC',
  },
  urgent: ['message', 'propulsion', 'rescueNotes'],
  example: {
    name: 'Blue Golf',
    message: 'Am I in your way? Send me a message, I am close by.',
    licensePlate: 'B-AB 1234',
    make: 'Volkswagen',
    model: 'ID.3',
    year: 2023,
    color: 'Blue',
    propulsion: 'ELECTRIC',
    rescueNotes: 'High-voltage cut-off under the hood, left. Child seat behind the passenger.',
    owner: { name: 'Jonas Berg', phone: '+49 160 1112223' },
    insurance: { company: 'Allianz', policyNumber: 'AS-123456' },
  },
});
