import { Type } from 'typebox';
import {
  createDateFieldSchema,
  createEnumFieldSchema,
  createListFieldSchema,
  createObjectFieldSchema,
  createPartialDateFieldSchema,
  createSingleLineFieldSchema,
} from './field-types.ts';

const CODE_SYSTEMS = ['SNOMED_CT', 'RXNORM', 'ICD_10', 'ATC'] as const;

/** Ascending. */
export const ALLERGIC_REACTION_SEVERITIES = ['MILD', 'MODERATE', 'SEVERE', 'LIFE_THREATENING'] as const;

export function createMedicalCodingFieldSchema() {
  return createObjectFieldSchema(
    'Medical coding',
    'The same as a code, for systems that exchange health data.',
    {
      system: createEnumFieldSchema(
        'System',
        'SNOMED CT (findings, substances), RxNorm (medicines in the US), ICD-10 (diagnoses), ATC (medicines by the WHO).',
        CODE_SYSTEMS,
      ),
      code: Type.String({
        title: 'Code',
        description: 'The code within that system, such as 91936005 (SNOMED CT: allergy to penicillin).',
        pattern: '^[0-9A-Za-z.]{1,18}$',
      }),
    },
  );
}

export function createAllergiesFieldSchema() {
  const allergy = createObjectFieldSchema('Allergy', 'One substance.', {
    name: createSingleLineFieldSchema('Name', 'The substance, such as penicillin or peanuts.'),
    reaction: Type.Optional(
      createSingleLineFieldSchema('Reaction', 'What happens, such as rash or anaphylaxis.'),
    ),
    severity: Type.Optional(
      createEnumFieldSchema('Severity', 'How bad the reaction is.', ALLERGIC_REACTION_SEVERITIES),
    ),
    coding: Type.Optional(createMedicalCodingFieldSchema()),
  });
  return createListFieldSchema('Allergies', 'Allergies and intolerances, the worst first.', allergy, 30);
}

export function createMedicationsFieldSchema() {
  const medication = createObjectFieldSchema('Medication', 'One medicine.', {
    name: createSingleLineFieldSchema('Name', 'Name of the medicine or its active ingredient.'),
    dose: Type.Optional(
      createSingleLineFieldSchema('Dose', 'Amount with its unit, such as 500 mg or 8 units.', 60),
    ),
    frequency: Type.Optional(createSingleLineFieldSchema('Frequency', 'How often, such as twice a day.', 60)),
    coding: Type.Optional(createMedicalCodingFieldSchema()),
  });
  return createListFieldSchema('Medications', 'Medicines taken at present.', medication, 30);
}

export function createConditionsFieldSchema() {
  const condition = createObjectFieldSchema('Medical condition', 'One diagnosis.', {
    name: createSingleLineFieldSchema('Name', 'The diagnosis, such as type 1 diabetes or epilepsy.'),
    since: Type.Optional(createPartialDateFieldSchema('Since', 'When it was found.')),
    coding: Type.Optional(createMedicalCodingFieldSchema()),
  });
  return createListFieldSchema('Medical conditions', 'Illnesses a helper must know about.', condition, 30);
}

export function createVaccinationsFieldSchema() {
  const vaccination = createObjectFieldSchema('Vaccination', 'One vaccination.', {
    name: createSingleLineFieldSchema('Name', 'What it protects against, or the vaccine.'),
    givenOn: Type.Optional(createDateFieldSchema('Date given', 'When it was given.')),
    validUntil: Type.Optional(createDateFieldSchema('Valid until', 'Until when it protects.')),
    batch: Type.Optional(
      createSingleLineFieldSchema('Batch number', 'Batch (lot) number of the vaccine.', 40),
    ),
  });
  return createListFieldSchema('Vaccinations', 'Vaccinations, the latest first.', vaccination, 40);
}
