// The usual way to build such a service: Express, sql.js and LIKE. PEERS, PORT and FOODS (a JSON file with an array of rows)
// come from the environment.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.env.PEERS}/package.json`);
const express = require('express');
const initSqlJs = require('sql.js');

const { Database } = await initSqlJs();
const db = new Database();
db.run(
  'CREATE TABLE foods (carbohydrate_g REAL, protein_g REAL, fa_sat_g REAL, fa_mono_g REAL, fa_poly_g REAL, kcal REAL, description TEXT)',
);
for (const row of JSON.parse(readFileSync(process.env.FOODS, 'utf8'))) {
  db.run('INSERT INTO foods VALUES (?, ?, ?, ?, ?, ?, ?)', row);
}

const app = express();
app.get('/api/food', (request, response) => {
  const statement = db.prepare('SELECT * FROM foods WHERE description LIKE ? LIMIT 100');
  statement.bind([`%${request.query.q}%`]);
  const foods = [];
  while (statement.step()) {
    const { fa_sat_g, fa_mono_g, fa_poly_g, ...food } = statement.getAsObject();
    foods.push({ ...food, fat_g: (fa_sat_g + fa_mono_g + fa_poly_g).toFixed(2) });
  }
  statement.free();
  response.json(foods);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
