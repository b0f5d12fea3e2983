export const APPLICATION_ROOT_PATH_SEGMENTS = ['api', 's', 'uploads'] as const;
