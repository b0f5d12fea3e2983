import { Type } from 'typebox';

export const SCAN_COUNT_SCHEMA_PROPERTIES = {
  total: Type.Integer({ description: 'Scans of all classes.' }),
  humans: Type.Integer({ description: 'Scans of class HUMAN.' }),
  unique: Type.Integer({
    description:
      'Unique visitors per code and UTC day. For longer periods the sum of the days, since visitors are not tracked across days.',
  }),
};
