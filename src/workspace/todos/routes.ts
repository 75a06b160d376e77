// Todos over HTTP: contract → operation.
import { on } from '../../foundation/endpoint.ts'
import * as contract from './contract.ts'
import * as operations from './operations.ts'

export const todoRoutes = [
  on(contract.listTodos, (tx, { query }) => operations.listTodos(tx, query)),
  on(contract.createTodo, (tx, { body }) => operations.createTodo(tx, body)),
  on(contract.summarizeTodos, (tx) => operations.summarizeTodos(tx)),
  on(contract.bulkTodos, (tx, { body }) => operations.bulkTodos(tx, body)),
  on(contract.getTodo, (tx, { params }) => operations.getTodo(tx, params.todo_id)),
  on(contract.updateTodo, (tx, { params, body }) => operations.updateTodo(tx, params.todo_id, body)),
  on(contract.deleteTodo, (tx, { params }) => operations.deleteTodo(tx, params.todo_id)),
  on(contract.startTodo, (tx, { params }) => operations.startTodo(tx, params.todo_id)),
  on(contract.completeTodo, (tx, { params, body }) => operations.completeTodo(tx, params.todo_id, body)),
  on(contract.reopenTodo, (tx, { params }) => operations.reopenTodo(tx, params.todo_id)),
  on(contract.cancelTodo, (tx, { params, body }) => operations.cancelTodo(tx, params.todo_id, body)),
  on(contract.checkTodoItem, (tx, { params, body }) => operations.checkTodoItem(tx, params.todo_id, params.item_id, body.done)),
]
