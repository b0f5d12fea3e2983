/** The first segments of all paths of the service but `/`. */
export const APPLICATION_PATH_ROOTS = ['api', 's', 'uploads'] as const;
