import { REQUIRED_PRODUCTION_VARIABLES } from '../../src/config-problems.ts';
import { describeSchemaBounds, EnvironmentSchema } from '../../src/config-variables.ts';
import { SECRET_FILE_VARIABLES } from '../../src/secret-files.ts';
import { code, formatDocument, formatTable } from './markdown.ts';
import { SETTING_GROUPS } from './setting-groups.ts';

const INTRODUCTION = `
Settings are environment variables. Every setting has a default, so nothing needs to be set to try the service.

- In production (\`NODE_ENV=production\`) the settings marked "Required in production" must be set. Nothing is generated there.
- \`npm start\`, \`npm run worker\` and the other commands also read the file \`.env\`. Variables of the environment win over it, an empty one too. \`.env.example\` lists every setting with its default.
- Secrets can be in files: \`JWT_SECRET_FILE=/run/secrets/jwt\` sets \`JWT_SECRET\`. Settings that say so have such a variable; see [secrets in files](../operations/keys.md#secrets-in-files).
- An invalid configuration ends the process with exit code 78. The message names every invalid variable.
`;

/** Format docs/reference/configuration.md: every setting with its default, by group. */
export function formatConfiguration(): string {
  const groups = SETTING_GROUPS.map(({ title, names }) => {
    const rows = names.map((name) => {
      const property = EnvironmentSchema.properties[name];
      const value = readProperty(property).default;
      return [code(name), value === undefined ? '' : code(String(value)), describeSetting(name, property)];
    });
    return `## ${title}\n\n${formatTable(['setting', 'default', 'meaning'], rows)}`;
  });
  return formatDocument('Configuration', INTRODUCTION, ...groups);
}

/** @throws Error when the schema has no description for the setting */
export function describeSetting(name: string, property: object): string {
  const { description } = readProperty(property);
  if (!description) throw new Error(`${name} has no description in the schema of the environment.`);
  const isRequired = REQUIRED_PRODUCTION_VARIABLES.some((required) => required === name);
  const fileVariable = `${name}_FILE`;
  const fileNote = SECRET_FILE_VARIABLES.has(fileVariable) && `Or its file: \`${fileVariable}\`.`;
  return [isRequired && 'Required in production.', description, describeSchemaBounds(property), fileNote]
    .filter(Boolean)
    .join(' ');
}

function readProperty(property: object): { default?: unknown; description?: string } {
  return property;
}
