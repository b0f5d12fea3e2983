export const APPLICATION_PATH_ROOTS = ['api', 's', 'uploads'] as const;
