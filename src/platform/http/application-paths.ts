export const APPLICATION_ROOT_PATH_SEGMENTS = ['api', 's', 'uploads', 'app'] as const;

export function isApplicationPath(url: string): boolean {
  const [, root = ''] = url.split(/[/?]/, 2);
  return root === '' || APPLICATION_ROOT_PATH_SEGMENTS.some((segment) => segment === root);
}
