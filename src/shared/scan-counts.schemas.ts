import { Type } from 'typebox';

/** Wherever scans are counted, all three counts are given. */
export const SCAN_COUNT_PROPERTIES = {
  total: Type.Integer({ description: 'Scans of all classes.' }),
  humans: Type.Integer({ description: 'Scans by people: those of class HUMAN.' }),
  unique: Type.Integer({
    description:
      'First scans of a visitor on a code and UTC day: over a longer time the sum of its days, since nobody is followed from one day to the next.',
  }),
};
