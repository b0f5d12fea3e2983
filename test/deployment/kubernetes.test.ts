import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config.ts';
import { EnvironmentSchema } from '../../src/config-variables.ts';
import { PLATFORM_GAUGES } from '../../src/platform/monitoring/database-gauges.ts';
import { SECRET_FILE_VARIABLES } from '../../src/secret-files.ts';
import { checkConfig } from '../../src/start/check-config.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

// No cluster runs where tests run: check what is possible without it.
const FOLDER = 'deploy/kubernetes';
const SECRET_NAME = 'qr-profile-service';
const SECRET_FOLDER = '/run/secrets/qr-profile-service';
/** What a process needs to end its requests or jobs. */
const SHUTDOWN_SECONDS = 10;

type Labels = Record<string, string>;

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; namespace?: string };
}

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
}

interface Container {
  image: string;
  command: string[];
  ports: { name: string; containerPort: number }[];
  envFrom: { configMapRef: { name: string } }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  securityContext: object;
  resources: { requests: Labels; limits: Labels };
  volumeMounts: { name: string; mountPath: string }[];
}

interface PodSpec {
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  securityContext: object;
  topologySpreadConstraints: { labelSelector: { matchLabels: Labels } }[];
  containers: Container[];
  volumes: { name: string; secret?: { secretName: string }; emptyDir?: { sizeLimit: string } }[];
}

interface Deployment extends Manifest {
  spec: {
    selector: { matchLabels: Labels };
    template: { metadata: { labels: Labels }; spec: PodSpec };
  };
}

interface Service extends Manifest {
  spec: { selector: Labels; ports: { name: string; targetPort: string }[] };
}

interface Ingress extends Manifest {
  spec: {
    tls: { hosts: string[] }[];
    rules: {
      host: string;
      http: { paths: { backend: { service: { name: string; port: { name: string } } } }[] };
    }[];
  };
}

interface DisruptionBudget extends Manifest {
  spec: { selector: { matchLabels: Labels } };
}

interface Autoscaler extends Manifest {
  spec: {
    scaleTargetRef: { kind: string; name: string };
    minReplicas: number;
    maxReplicas: number;
    metrics: { type: string; external?: { metric: { name: string } } }[];
  };
}

interface NetworkRule {
  from?: object[];
  to?: object[];
  ports: { port: string | number }[];
}

interface NetworkPolicy extends Manifest {
  spec: {
    podSelector: { matchLabels?: Labels };
    policyTypes: string[];
    ingress?: NetworkRule[];
    egress?: NetworkRule[];
  };
}

const read = (name: string) => readFile(join(FOLDER, name), 'utf8');
const kustomization: {
  namespace: string;
  resources: string[];
  configMapGenerator: { name: string; envs: string[] }[];
  images: { name: string; newTag: string }[];
} = parse(await read('kustomization.yaml'));
const manifests: Manifest[] = (await Promise.all(kustomization.resources.map(read))).flatMap((text) =>
  parseAllDocuments(text).map((document) => document.toJS()),
);
const ofKind = <T extends Manifest>(kind: string) =>
  manifests.filter((manifest): manifest is T => manifest.kind === kind);
const deployments = ofKind<Deployment>('Deployment');
const settings = new Map(
  (await read('settings.env'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
);
const dockerfile = await readFile('Dockerfile', 'utf8');

const containerOf = ({ spec }: Deployment) => {
  const [container, ...others] = spec.template.spec.containers;
  if (!container || others.length > 0) throw new Error('A pod has one container.');
  return container;
};
const selects = (selector: Labels, { spec }: Deployment) =>
  Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value);
const selectedBy = (selector: Labels) =>
  deployments.filter((deployment) => selects(selector, deployment)).map(({ metadata }) => metadata.name);

/** Errors of TypeScript when manifests are literals of the types of Kubernetes, which know every field. */
async function findSchemaErrors(folder: string, objects: readonly Manifest[]): Promise<string[]> {
  const lines = objects.map(({ apiVersion, kind }, index) => {
    const [group = '', version = ''] = apiVersion.includes('/')
      ? apiVersion.split('/')
      : ['core', apiVersion];
    const types = resolve('node_modules/kubernetes-types', group.replace('.k8s.io', ''), version);
    const value = JSON.stringify(objects[index], null, 2);
    return `export const object${index}: import(${JSON.stringify(types)}).${kind} = ${value};`;
  });
  await writeFile(join(folder, 'manifests.ts'), lines.join('\n'));
  const { status, stdout, error } = spawnSync(
    resolve('node_modules/.bin/tsc'),
    ['--noEmit', '--strict', '--module', 'preserve', '--lib', 'es2023', 'manifests.ts'],
    { cwd: folder, encoding: 'utf8', timeout: 60_000 },
  );
  if (error) throw error;
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
  return status === 0 || errors.length > 0 ? errors : [stdout];
}

t.test('every field of the manifests is one of Kubernetes, with a value of its type', async (t) => {
  const folder = await createScratchFolder(t);
  t.same(await findSchemaErrors(folder, manifests), []);
});

const skipKubectl = spawnSync('kubectl', ['version', '--client']).error
  ? 'NOT RUN: kubectl is not installed'
  : false;

t.test('Kustomize builds what the files say', { skip: skipKubectl }, async (t) => {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', FOLDER], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  t.equal(status, 0, stderr);
  const built: Manifest[] = parseAllDocuments(stdout).map((document) => document.toJS());
  const names = (objects: readonly Manifest[]) =>
    objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  const [configMap] = built.filter(({ kind }) => kind === 'ConfigMap');
  t.match(configMap?.metadata.name, /^settings-/);
  t.same(names(built.filter(({ kind }) => kind !== 'ConfigMap')), names(manifests));
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  for (const object of built) {
    if (object.kind !== 'Namespace') t.equal(object.metadata.namespace, kustomization.namespace);
    if (object.kind !== 'Deployment') continue;
    const container = containerOf(object as Deployment);
    t.equal(container.envFrom[0]?.configMapRef.name, configMap?.metadata.name);
    t.equal(container.image, `registry.example.org/qr-profile-service:${version}`);
  }
});

t.test('everything that a manifest refers to exists', async (t) => {
  t.same(
    deployments.map(({ metadata }) => metadata.name),
    ['application', 'worker'],
  );
  for (const deployment of deployments) {
    const { name } = deployment.metadata;
    const { spec, metadata } = deployment.spec.template;
    t.same(selectedBy(deployment.spec.selector.matchLabels), [name]);
    t.same(metadata.labels, deployment.spec.selector.matchLabels);
    for (const { labelSelector } of spec.topologySpreadConstraints)
      t.same(selectedBy(labelSelector.matchLabels), [name]);
    t.ok(ofKind('ServiceAccount').some((account) => account.metadata.name === spec.serviceAccountName));
    const container = containerOf(deployment);
    t.same(
      container.envFrom.map(({ configMapRef }) => configMapRef.name),
      kustomization.configMapGenerator.map((generator) => generator.name),
    );
    t.same(
      container.volumeMounts.map((mount) => mount.name),
      spec.volumes.map((volume) => volume.name),
    );
    t.ok(dockerfile.includes(container.command.at(-1) ?? 'no command'));
  }
  const [application] = deployments;
  const ports = application ? containerOf(application).ports.map(({ name }) => name) : [];
  for (const { spec } of ofKind<Service>('Service')) {
    t.same(selectedBy(spec.selector), ['application']);
    for (const { targetPort } of spec.ports) t.ok(ports.includes(targetPort));
  }
  for (const { spec } of ofKind<Ingress>('Ingress')) {
    const backends = spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service));
    for (const { name, port } of backends) {
      const service = ofKind<Service>('Service').find(({ metadata }) => metadata.name === name);
      t.ok(service?.spec.ports.some((servicePort) => servicePort.name === port.name));
    }
    const hosts = spec.rules.map(({ host }) => host);
    t.same(
      spec.tls.flatMap((tls) => tls.hosts),
      hosts,
    );
    t.equal(settings.get('PUBLIC_BASE_URL'), `https://${hosts[0]}`);
  }
});

t.test('probes ask paths that the processes serve, on ports that they open', async (t) => {
  const monitoring = await readFile('src/platform/monitoring/monitoring-server.ts', 'utf8');
  const running = await readFile('docs/operations/running.md', 'utf8');
  const [, imagePort] = / PORT=(\d+) /.exec(dockerfile) ?? [];
  for (const deployment of deployments) {
    const container = containerOf(deployment);
    for (const { name, containerPort } of container.ports)
      t.equal(String(containerPort), name === 'http' ? imagePort : settings.get('METRICS_PORT'));
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      t.ok(container.ports.some(({ name }) => name === httpGet.port));
      const isServed =
        httpGet.port === 'http'
          ? running.includes(`\`GET ${httpGet.path}\``)
          : monitoring.includes(`path === '${httpGet.path}'`);
      t.ok(isServed, httpGet.path);
    }
  }
});

t.test('pods serve until no request reaches them, and then end in time', async (t) => {
  for (const deployment of deployments) {
    const { spec } = deployment.spec.template;
    const isApplication = deployment.metadata.name === 'application';
    const delay = isApplication ? Number(settings.get('SHUTDOWN_DELAY_SECONDS')) : 0;
    t.ok(spec.terminationGracePeriodSeconds > delay + SHUTDOWN_SECONDS);
    const { periodSeconds, timeoutSeconds } = containerOf(deployment).readinessProbe;
    if (isApplication) t.ok(delay > periodSeconds + timeoutSeconds);
  }
});

t.test('pods meet the restricted Pod Security Standard, have limits and no token', async (t) => {
  t.match(manifests, [
    { kind: 'Namespace', metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
  ]);
  t.match(ofKind('ServiceAccount'), [{ automountServiceAccountToken: false }]);
  const [, user] = /^USER (\d+):/m.exec(dockerfile) ?? [];
  for (const deployment of deployments) {
    const { spec } = deployment.spec.template;
    t.equal(spec.automountServiceAccountToken, false);
    t.match(spec.securityContext, {
      runAsNonRoot: true,
      runAsUser: Number(user),
      fsGroup: Number(user),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    const container = containerOf(deployment);
    t.same(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    t.match(container.resources, { requests: { cpu: String, memory: String }, limits: { memory: String } });
    const writable = spec.volumes.filter(({ emptyDir }) => emptyDir?.sizeLimit).map(({ name }) => name);
    t.same(
      container.volumeMounts.filter(({ name }) => writable.includes(name)).map(({ mountPath }) => mountPath),
      ['/data', '/tmp'],
    );
  }
});

t.test('every setting is one of the service, and no secret has a value', async (t) => {
  for (const [name, value] of settings) {
    t.ok(name in EnvironmentSchema.properties || SECRET_FILE_VARIABLES.has(name), name);
    const isSecret = 'writeOnly' in (Reflect.get(EnvironmentSchema.properties, name) ?? {});
    t.notOk(isSecret, name);
    if (name.endsWith('_FILE')) t.ok(value.startsWith(`${SECRET_FOLDER}/`), name);
  }
  t.same(ofKind('Secret'), []);
  for (const deployment of deployments) {
    const secret = deployment.spec.template.spec.volumes.find((volume) => volume.secret);
    t.equal(secret?.secret?.secretName, SECRET_NAME);
    const mount = containerOf(deployment).volumeMounts.find(({ name }) => name === secret?.name);
    t.equal(mount?.mountPath, SECRET_FOLDER);
  }
});

t.test('the service accepts the settings with the secrets of the documentation', async (t) => {
  const folder = await createScratchFolder(t);
  const page = await readFile('docs/operations/kubernetes.md', 'utf8');
  const [, script = ''] = /node -e '\n([\s\S]*?)'\n/.exec(page) ?? [];
  const created = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' });
  t.equal(created.status, 0, created.stderr);
  const external = {
    DATABASE_URL: 'postgresql://qr:a@db.example.org/qr?sslmode=verify-full',
    REDIS_URL: 'rediss://redis.example.org:6379',
    SMTP_URL: 'smtps://qr:b@mail.example.org',
    S3_ACCESS_KEY_ID: 'access-key',
    S3_SECRET_ACCESS_KEY: 'secret-access-key',
  };
  for (const [name, value] of Object.entries(external)) await writeFile(join(folder, 'secrets', name), value);
  const environment = Object.fromEntries(
    [...settings].map(([name, value]) => [name, value.replace(SECRET_FOLDER, join(folder, 'secrets'))]),
  );
  const text = await checkConfig(loadConfig({ NODE_ENV: 'production', ...environment }));
  t.match(text, /qr\.example\.org/);
});

t.test('budgets allow an eviction, and autoscalers scale what exists', async (t) => {
  const names = deployments.map(({ metadata }) => metadata.name);
  const autoscalers = ofKind<Autoscaler>('HorizontalPodAutoscaler');
  t.same(
    autoscalers.map(({ spec }) => spec.scaleTargetRef.name),
    names,
  );
  t.same(
    ofKind<DisruptionBudget>('PodDisruptionBudget').flatMap(({ spec }) =>
      selectedBy(spec.selector.matchLabels),
    ),
    names,
  );
  for (const { spec } of autoscalers) t.ok(spec.minReplicas > 1 && spec.maxReplicas > spec.minReplicas);
  for (const { spec } of deployments) t.notOk('replicas' in spec, 'the autoscaler sets them');

  const { externalRules } = parse(await read('prometheus-adapter.yaml'));
  const external = autoscalers.flatMap(({ spec }) =>
    spec.metrics.flatMap((metric) => metric.external?.metric.name ?? []),
  );
  t.same(
    external,
    externalRules.map((rule: { name: { as: string } }) => rule.name.as),
  );
  for (const { seriesQuery, metricsQuery } of externalRules) {
    const used = [...`${seriesQuery} ${metricsQuery}`.matchAll(/qrps_[a-z_]+/g)];
    t.ok(used.length > 0);
    for (const [name] of used) t.hasProp(PLATFORM_GAUGES.gauges, name);
  }
});

t.test('the connections of all pods are what the documentation says', async (t) => {
  const page = await readFile('docs/operations/kubernetes.md', 'utf8');
  const pool = Number(Reflect.get(EnvironmentSchema.properties.DATABASE_POOL_SIZE, 'default'));
  // A rollout has one more pod of each.
  const pods = ofKind<Autoscaler>('HorizontalPodAutoscaler').reduce(
    (sum, { spec }) => sum + spec.maxReplicas + 1,
    0,
  );
  t.ok(page.includes(`${pods * (pool + 1)} connections`));
});

t.test('network policies refuse what is not needed, and select the pods', async (t) => {
  const policies = ofKind<NetworkPolicy>('NetworkPolicy');
  const [deny, ...allowing] = policies;
  t.same(deny?.spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  const targets: Record<string, string[]> = {};
  for (const { metadata, spec } of allowing) {
    targets[metadata.name] = selectedBy(spec.podSelector.matchLabels ?? {});
    for (const rule of spec.ingress ?? []) {
      t.ok(rule.from && rule.from.length > 0, 'not from everywhere');
      for (const { port } of rule.ports)
        for (const deployment of deployments)
          if (selects(spec.podSelector.matchLabels ?? {}, deployment))
            t.ok(containerOf(deployment).ports.some(({ name }) => name === port));
    }
    for (const rule of spec.egress ?? []) t.ok(rule.ports.length > 0, 'not to every port');
  }
  const both = deployments.map(({ metadata }) => metadata.name);
  t.same(targets, { 'ingress-controller': ['application'], prometheus: both, egress: both });
});
