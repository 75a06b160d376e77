// Who is sold to, what was agreed with them, and what is sold.
import { area } from '../area.ts'

export const directory = area({
  title: 'Customers and products',
  entries: [
    { path: '/customers', load: () => import('./customers.tsx'), name: 'Customers', menu: 'Customers' },
    { path: '/customers/new', load: () => import('./customer-form.tsx'), name: 'NewCustomer' },
    { path: '/customers/duplicates', load: () => import('./customer-duplicates.tsx'), name: 'CustomerDuplicates' },
    { path: '/customers/$customer_id', load: () => import('./customer.tsx'), name: 'CustomerPage' },
    { path: '/customers/$customer_id/edit', load: () => import('./customer-form.tsx'), name: 'EditCustomer' },
    { path: '/recurring', load: () => import('./recurring.tsx'), name: 'Recurring', menu: 'Recurring invoices' },
    { path: '/recurring/new', load: () => import('./recurring-form.tsx'), name: 'NewRecurring' },
    { path: '/recurring/$template_id', load: () => import('./recurring-template.tsx'), name: 'RecurringTemplatePage' },
    { path: '/recurring/$template_id/edit', load: () => import('./recurring-form.tsx'), name: 'EditRecurring' },
    { path: '/contracts', load: () => import('./contracts.tsx'), name: 'Contracts', menu: 'Contracts' },
    { path: '/contracts/new', load: () => import('./contract-form.tsx'), name: 'NewContract' },
    { path: '/contracts/$contract_id', load: () => import('./contract.tsx'), name: 'ContractPage' },
    { path: '/contracts/$contract_id/edit', load: () => import('./contract-form.tsx'), name: 'EditContract' },
    { path: '/projects', load: () => import('./projects.tsx'), name: 'Projects', menu: 'Projects' },
    { path: '/projects/new', load: () => import('./project-form.tsx'), name: 'NewProject' },
    { path: '/projects/$project_id', load: () => import('./project.tsx'), name: 'ProjectPage' },
    { path: '/projects/$project_id/edit', load: () => import('./project-form.tsx'), name: 'EditProject' },
    { path: '/products', load: () => import('./products.tsx'), name: 'Products', menu: 'Products' },
    { path: '/products/new', load: () => import('./product-form.tsx'), name: 'NewProduct' },
    { path: '/products/$product_id', load: () => import('./product.tsx'), name: 'ProductPage' },
    { path: '/products/$product_id/edit', load: () => import('./product-form.tsx'), name: 'EditProduct' },
    { path: '/catalog-items', load: () => import('./catalog-items.tsx'), name: 'CatalogItems', menu: 'Services and fees' },
    { path: '/catalog-items/new', load: () => import('./catalog-item-form.tsx'), name: 'NewCatalogItem' },
    { path: '/catalog-items/$item_id', load: () => import('./catalog-item.tsx'), name: 'CatalogItemPage' },
    { path: '/catalog-items/$item_id/edit', load: () => import('./catalog-item-form.tsx'), name: 'EditCatalogItem' },
  ],
})
