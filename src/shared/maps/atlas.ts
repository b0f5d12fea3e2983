import { feature } from 'topojson-client';
// Natural Earth, public domain. The build inlines both, so that a production install does not need the package (8 MB).
import detailed from 'world-atlas/countries-50m.json' with { type: 'json' };
import coarse from 'world-atlas/countries-110m.json' with { type: 'json' };

/** 1:50 million. */
export const DETAILED_COUNTRIES = readCountries(detailed);

/** 1:110 million, without small countries. */
export const COARSE_COUNTRIES = readCountries(coarse);

function readCountries(topology: unknown) {
  const atlas = topology as Parameters<typeof feature>[0] & { objects: { countries: never } };
  const countries: unknown = feature(atlas, atlas.objects.countries);
  return (countries as GeoJSON.FeatureCollection<GeoJSON.Geometry, { name: string }>).features;
}
