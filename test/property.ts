import fc from 'fast-check';

const DEFAULT_SEED = 20_261_121;

// A fixed seed makes failures reproducible. For other inputs: PROPERTY_SEED=random npm test
const { PROPERTY_SEED = String(DEFAULT_SEED) } = process.env;
fc.configureGlobal({ seed: PROPERTY_SEED === 'random' ? Date.now() : Number(PROPERTY_SEED) });

/** fast-check with a fixed seed. */
export { fc };
