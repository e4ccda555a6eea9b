/** Makes a key and a self-signed certificate with openssl. */
import { readFile } from 'node:fs/promises';
import { execute } from './programs.ts';

export type Certificate = Awaited<ReturnType<typeof makeCertificate>>;

/** @param names such as `DNS:localhost` or `IP:127.0.0.1` @param days negative for an expired certificate */
export async function makeCertificate(prefix: string, names: string, days = 2) {
  const [keyFile, requestFile, certFile] = [`${prefix}.key.pem`, `${prefix}.csr.pem`, `${prefix}.cert.pem`];
  const openssl = (...args: string[]) => execute('openssl', args);
  await openssl(
    ...'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -batch -subj /CN=localhost'.split(' '),
    ...['-addext', `subjectAltName=${names}`, '-keyout', keyFile, '-out', requestFile],
  );
  await openssl(
    ...['x509', '-req', '-in', requestFile, '-signkey', keyFile, '-days', String(days)],
    ...['-copy_extensions', 'copy', '-out', certFile],
  );
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
  return { key, cert, keyFile, certFile };
}
