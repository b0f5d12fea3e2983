export type { GeoPath, GeoProjection } from 'd3-geo';
export { geoAzimuthalEqualArea, geoCentroid, geoDistance, geoEqualEarth, geoPath } from 'd3-geo';
