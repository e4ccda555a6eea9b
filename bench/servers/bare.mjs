// The upper bound of node:http: a constant body. PORT and BODY_SIZE (bytes) come from the environment.
import { createServer } from 'node:http';

const body = Buffer.alloc(Number(process.env.BODY_SIZE), 'x');
createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
