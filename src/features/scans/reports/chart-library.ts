import { LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

// Bundled by the build, so that production installs do not need echarts.
use([LineChart, GridComponent, SVGRenderer]);

export type { EChartsCoreOption as ChartOption } from 'echarts/core';
export { init };
