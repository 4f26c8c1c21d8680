// n8n-core reads these when it is first required, so they are set before any test file loads.
const { tmpdir } = require('node:os');
const { join } = require('node:path');

process.env.N8N_USER_FOLDER ??= join(tmpdir(), 'n8n-nodes-integration-leads-tests');
process.env.N8N_ENCRYPTION_KEY ??= 'engine-test-encryption-key';
process.env.N8N_LOG_LEVEL ??= 'silent';
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
	delete process.env[name];
	delete process.env[name.toLowerCase()];
}
