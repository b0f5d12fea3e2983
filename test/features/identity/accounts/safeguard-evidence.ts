/** Code and tests for a paragraph of 45 CFR 164.312; docs/guides/enterprise-mode.md has a row for each. */
export interface SafeguardEvidence {
  paragraph: string;
  code: readonly string[];
  tests: Readonly<Record<string, readonly string[]>>;
}

export const SAFEGUARD_EVIDENCE: readonly SafeguardEvidence[] = [
  {
    paragraph: '(a)(1) Access control, R',
    code: ['src/platform/route-access.ts', 'src/permissions.ts', 'src/features/codes/read-own-qrcode.ts'],
    tests: {
      'test/platform/route-access.test.ts': [
        'every route that is not public is 401 without a credential, whatever its body',
      ],
      'test/features/codes/safety.test.ts': [
        'a foreign and an absent code are the same 404, nothing changes, and the attempt is audited once',
      ],
    },
  },
  {
    paragraph: '(a)(2)(i) Unique user identification, R',
    code: ['src/features/identity/accounts/user.repository.ts', 'src/platform/audit.repository.ts'],
    tests: {
      'test/features/identity/accounts/registration.test.ts': [
        '20 parallel registrations of one address in all spellings create one user',
      ],
      'test/platform/audit.test.ts': [
        'an entry has references and salted hashes; user, address and agent are in separate tables',
      ],
    },
  },
  {
    paragraph: '(a)(2)(ii) Emergency access procedure, R',
    code: ['src/features/administration/break-glass.use-case.ts', 'src/features/codes/read-own-qrcode.ts'],
    tests: {
      'test/features/administration/break-glass.test.ts': [
        'an administrator reads content only by break-glass: one record, a CRITICAL entry, a mail to the owner',
        'break-glass also shows the exact position of a scan, but not to a demoted administrator',
      ],
    },
  },
  {
    paragraph: '(a)(2)(iii) Automatic log-off, A',
    code: ['src/platform/authentication.ts', 'src/platform/session-expiry.repository.ts'],
    tests: {
      'test/features/identity/accounts/idle-session.test.ts': [
        'a session in enterprise mode ends after 15 minutes without a request',
      ],
    },
  },
  {
    paragraph: '(a)(2)(iv) Encryption and decryption, A',
    code: ['src/shared/crypto/envelope.ts', 'src/features/codes/encrypted-content.ts'],
    tests: {
      'test/features/codes/safety.test.ts': [
        'encrypts content at rest: AES-256-CBC with HMAC for MEDICAL, AES-256-GCM for the rest',
      ],
    },
  },
  {
    paragraph: '(b) Audit controls, R',
    code: ['src/platform/audit.ts', 'src/features/codes/list-own-qrcodes.ts'],
    tests: {
      'test/features/codes/safety.test.ts': ['audits every read of a medical code’s content once'],
      'test/access/medical-reads.system.test.ts': [
        'writes exactly one audit entry for each response with medical content',
      ],
      'test/features/identity/accounts/enterprise.test.ts': [
        'in enterprise mode each medical code of a list has a separate audit entry',
      ],
      'test/platform/audit.test.ts': ['the application can neither change nor remove audit entries'],
    },
  },
  {
    paragraph: '(c)(1) Integrity, R',
    code: ['src/features/codes/encrypted-content.ts', 'src/features/codes/update-own-qrcode.use-case.ts'],
    tests: {
      'test/features/codes/safety.test.ts': [
        'moved, altered or truncated content is 500 DATA_INTEGRITY and one CRITICAL audit entry',
      ],
    },
  },
  {
    paragraph: '(c)(2) Mechanism to authenticate health data, A',
    code: ['src/shared/crypto/envelope.ts'],
    tests: {
      'test/shared/crypto/envelope.test.ts': ['the algorithm cannot be changed by the version byte'],
    },
  },
  {
    paragraph: '(d) Person or entity authentication, R',
    code: [
      'src/features/identity/accounts/log-in.use-case.ts',
      'src/features/identity/second-factor/verify-second-factor.use-case.ts',
    ],
    tests: {
      'test/features/identity/second-factor/verify.test.ts': [
        'a login with a second factor creates no session before its code is verified',
      ],
      'test/features/identity/accounts/enterprise.test.ts': [
        'in enterprise mode an account without a second factor can only enroll, log out and read its state',
      ],
    },
  },
  {
    paragraph: '(e)(1) Transmission security, R',
    code: ['src/config.ts', 'src/platform/http/security-headers.ts'],
    tests: {
      'test/config.test.ts': ['production demands the database, the secrets and an https address'],
    },
  },
  {
    paragraph: '(e)(2)(i) Integrity controls, A',
    code: ['src/platform/http/security-headers.ts', 'src/platform/access-token.ts'],
    tests: {
      'test/platform/http/etag.test.ts': ['HSTS is sent over https only'],
      'test/platform/authentication.test.ts': ['a token with a wrong signature, purpose or time is 401'],
    },
  },
  {
    paragraph: '(e)(2)(ii) Encryption, A',
    code: ['src/config.ts', 'src/platform/http/security-headers.ts'],
    tests: {
      'test/config.test.ts': ['production demands the database, the secrets and an https address'],
      'test/platform/http/etag.test.ts': ['HSTS is sent over https only'],
    },
  },
];
