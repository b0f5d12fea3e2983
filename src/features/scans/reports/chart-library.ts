import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

// The build bundles these parts of echarts into this file, so that production installs do not need the
// package.
use([BarChart, LineChart, GridComponent, SVGRenderer]);

export type { EChartsCoreOption as ChartOption } from 'echarts/core';
export { init };
