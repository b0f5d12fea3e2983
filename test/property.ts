import fc from 'fast-check';

const DEFAULT_SEED = 20_261_121;

// A run that fails can be repeated as it was, and a change is judged by what it changed. To look for more:
// PROPERTY_SEED=random npm test
const { PROPERTY_SEED = String(DEFAULT_SEED) } = process.env;
fc.configureGlobal({ seed: PROPERTY_SEED === 'random' ? Date.now() : Number(PROPERTY_SEED) });

/** fast-check with a seed that stays the same from run to run. */
export { fc };
