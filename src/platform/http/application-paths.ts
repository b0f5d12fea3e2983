/** The first segments of all paths of the service but `/` (interface, section 1; design, section 4). */
export const APPLICATION_ROOTS = ['api', 's', 'uploads'] as const;
